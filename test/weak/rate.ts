/** How often, and when, a weak model goes astray. Fixed before anything was built against it: never to be changed. */
export const rates = {
  /** In a step whose task was last said more than `span` tokens ago: it no longer knows what it was to do. */
  forget: 0.35,
  span: 250,
  /** It makes its last call once more, … */
  repeat: 0.08,
  /** … and again while the answers are the same, or although they are not. */
  loop: 0.75,
  unloop: 0.2,
  /** It says what it will do, and does not. */
  prose: 0.1,
  /** It stops half-way. */
  early: 0.08,
  /** With one thing left to do it says that all is done. */
  falseSuccess: 0.25,
  /** A call is not as it should be. */
  malformed: 0.18,
  /** Spoken to after it had stopped, it sees what is left and goes on. */
  resume: 0.8,
  /** What becomes of forgetting, prose and stopping when the task stands near the end of what it reads. */
  reminded: 0.5,
};

export type Rates = typeof rates;

/** The same model on a day without any mistakes. */
export const faultless: Rates = {
  ...rates,
  forget: 0,
  repeat: 0,
  loop: 0,
  unloop: 0,
  prose: 0,
  early: 0,
  falseSuccess: 0,
  malformed: 0,
  resume: 1,
};
