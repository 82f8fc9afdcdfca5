/** Rates at which a weak model goes wrong. Fixed before anything was built against them: never change them. */
export const rates = {
  /** Forgets the task, in a step more than `span` tokens after its last mention. */
  forget: 0.35,
  span: 250,
  /** Repeats its last call, … */
  repeat: 0.08,
  /** … and again while the answers are the same, or although they are not. */
  loop: 0.75,
  unloop: 0.2,
  /** Announces a call and does not make it. */
  prose: 0.1,
  /** Stops half-way. */
  early: 0.08,
  /** Claims to be done with one step left. */
  falseSuccess: 0.25,
  /** Makes a malformed call. */
  malformed: 0.18,
  /** Goes on with the missing steps when asked after a stop. */
  resume: 0.8,
  /** Factor on forgetting, prose and stopping when the task is near the end of the context. */
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
