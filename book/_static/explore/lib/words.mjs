// Numbers and sentences, for those who see a picture and for those who hear it.

// A number as the book writes it: a true minus, no -0, so many decimals.
export function number(value, decimals = 2) {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

export const percent = (share) => `${number(100 * share, 1)} %`;

export const count = (many, noun) => `${many} ${noun}${many === 1 ? "" : "s"}`;

const REST_MILLISECONDS = 600; // sentences to hear wait until the hand rests

// Write a sentence at once for the eye, and for a screen reader when it has stayed for a while.
export function speaker(seen, heard) {
  let timer = 0;
  return (words, isFirst = false) => {
    if (seen.textContent !== words) seen.textContent = words;
    clearTimeout(timer);
    if (!isFirst) timer = setTimeout(() => (heard.textContent = words), REST_MILLISECONDS);
  };
}
