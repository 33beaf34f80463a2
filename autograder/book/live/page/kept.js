// What a reader wrote, kept on this device under the task's name and the site's address; without storage nothing is kept.
const PREFIX = `live:${new URL("../../../", import.meta.url).pathname}:`;

const tried = act => {
  try {
    return act();
  } catch {
    return null; // storage may be switched off
  }
};

export const kept = task => tried(() => localStorage.getItem(PREFIX + task));
export const keep = (task, text) => tried(() => localStorage.setItem(PREFIX + task, text));
export const forget = task => tried(() => localStorage.removeItem(PREFIX + task));
