// When a problem returns: FSRS-5 (Ye, Su and Cao, 2022; open-spaced-repetition), with its published default weights.
// A card is {difficulty, stability, last, due, reviews, lapses}; days are whole numbers, counted in the reader's zone.

const W = [0.40255, 1.18385, 3.173, 15.69105, 7.1949, 0.5345, 1.4604, 0.0046, 1.54575, 0.1192, 1.01925, 1.9395, 0.11, 0.29605, 2.2698, 0.2315, 2.9898, 0.51655, 0.6621];
const DECAY = -0.5;
const FACTOR = 19 / 81; // the share remembered after `stability` days is then 90 %
const WANTED = 0.9; // share remembered when a problem returns
const MIN_STABILITY_DAYS = 0.01;
const LONGEST_DAYS = 36500;

export const AGAIN = 1; // the first answer was wrong, or the solution was read first
export const HARD = 2;
export const GOOD = 3; // the first answer was right
export const EASY = 4;

const between = (low, value, high) => Math.min(Math.max(value, low), high);

/** The chance that a problem is still solved so many days after its last review. */
export const retrievability = (days, stability) => (1 + (FACTOR * days) / stability) ** DECAY;

/** Days until that chance has fallen to the wanted share. */
export function interval(stability, wanted = WANTED) {
  return between(1, Math.round((stability / FACTOR) * (wanted ** (1 / DECAY) - 1)), LONGEST_DAYS);
}

const firstDifficulty = grade => between(1, W[4] - Math.exp(W[5] * (grade - 1)) + 1, 10);

function nextDifficulty(difficulty, grade) {
  const change = -W[6] * (grade - 3);
  const damped = difficulty + (change * (10 - difficulty)) / 9;
  return between(1, W[7] * firstDifficulty(EASY) + (1 - W[7]) * damped, 10);
}

function afterSuccess({ difficulty, stability }, chance, grade) {
  const bonus = { [HARD]: W[15], [EASY]: W[16] }[grade] ?? 1;
  const growth = Math.exp(W[8]) * (11 - difficulty) * stability ** -W[9] * (Math.exp(W[10] * (1 - chance)) - 1);
  return stability * (1 + growth * bonus);
}

function afterFailure({ difficulty, stability }, chance) {
  const left = W[11] * difficulty ** -W[12] * ((stability + 1) ** W[13] - 1) * Math.exp(W[14] * (1 - chance));
  return Math.min(left, stability);
}

const onTheSameDay = (stability, grade) => stability * Math.exp(W[17] * (grade - 3 + W[18]));

/** The card after a review on a day; `card` is undefined at the first. */
export function reviewed(card, grade, day) {
  if (!card) return planned({ difficulty: firstDifficulty(grade), stability: W[grade - 1], reviews: 0, lapses: 0 }, grade, day);
  const days = Math.max(0, day - card.last);
  const chance = retrievability(days, card.stability);
  const longer = grade === AGAIN ? afterFailure(card, chance) : afterSuccess(card, chance, grade);
  const stability = Math.max(days ? longer : onTheSameDay(card.stability, grade), MIN_STABILITY_DAYS);
  return planned({ ...card, stability, difficulty: nextDifficulty(card.difficulty, grade) }, grade, day);
}

function planned(card, grade, day) {
  const wait = grade === AGAIN ? 1 : interval(card.stability);
  return { ...card, last: day, due: day + wait, reviews: card.reviews + 1, lapses: card.lapses + (grade === AGAIN) };
}
