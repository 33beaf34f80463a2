// Long work as a generator that pauses: at once under node, in slices between two frames in a page.

const SLICE_MILLISECONDS = 8;

export function finish(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

// Work in slices and hand over the result; the function that is returned stops the work.
export function inSlices(steps, done) {
  let isStopped = false;
  const work = () => {
    if (isStopped) return;
    const end = performance.now() + SLICE_MILLISECONDS;
    let step;
    do step = steps.next(); while (!step.done && performance.now() < end);
    if (step.done) done(step.value);
    else setTimeout(work);
  };
  work();
  return () => (isStopped = true);
}
