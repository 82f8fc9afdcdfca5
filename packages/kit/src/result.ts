// Expected failure is a value. `kind` says what the caller will do about it, `message` is for people.
export type Result<T, K extends string = string> = Ok<T> | Fail<K>;
export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}
export interface Fail<K extends string = string> {
  readonly ok: false;
  readonly kind: K;
  readonly message: string;
}

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });
export const fail = <K extends string>(kind: K, message: string): Fail<K> => ({ ok: false, kind, message });

/** Readable text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown === "string") return thrown;
  try {
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return String(thrown);
  }
}

/** The errno name (`ENOENT`, …) of a thrown system error, if it is one. */
export function codeOf(thrown: unknown): string | undefined {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}
