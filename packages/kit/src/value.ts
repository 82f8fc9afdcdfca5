/** True for an object with fields: no list, no null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value if it is an object with fields, else an empty one. */
export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * The fields that are not undefined. Use it where an undefined field would do harm: spread over another object, or in
 * one whose readers ask `"x" in it`. JSON leaves undefined fields out by itself.
 */
export function defined<T extends object>(fields: T): Defined<T> {
  const left: Partial<T> = {};
  for (const name in fields) if (fields[name] !== undefined) left[name] = fields[name];
  return left as unknown as Defined<T>;
}

/** The result of `run`, or the fallback if it throws. For one call whose failure always means the same. */
export function tryOr<T>(run: () => T): T | undefined;
export function tryOr<T>(run: () => T, fallback: T): T;
export function tryOr<T>(run: () => T, fallback?: T): T | undefined {
  try {
    return run();
  } catch {
    return fallback;
  }
}

/** True if `run` does not throw. */
export const succeeds = (run: () => unknown): boolean =>
  tryOr(() => {
    run();
    return true;
  }, false);

/** The value a JSON text holds, or undefined if it is none. */
export const parseJson = (text: string): unknown => tryOr(() => JSON.parse(text));

/** The sum of a number of each item. */
export function sumOf<T>(items: Iterable<T>, amount: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += amount(item);
  return sum;
}

/**
 * Makes a function that is loaded by its first call. For modules that a start can do without and whose callers cannot
 * wait for `import()`: in the build, a module that is named by `require` alone is a piece of its own.
 */
export function late<F extends (...args: never[]) => unknown>(load: () => F): F {
  let known: F | undefined;
  return ((...args: Parameters<F>) => {
    known ??= load();
    return known(...args);
  }) as F;
}
