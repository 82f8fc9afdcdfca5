import { type Schema, schema as s } from "@pith/agent";

export const { objectOf: of, sent } = s;

/** An object that is declared elsewhere: only these fields are promised here. */
export const open = <T extends object>(shape: s.ObjectShape = {}): Schema<T> =>
  new s.Schema<T>({ ...s.object(shape).json, additionalProperties: true }, (value) => value as T);

export const text = s.string();
export const bool = s.boolean();
export const int = s.int();
export const fields = s.record(s.unknown());
export const list = <T>(item: Schema<T>): Schema<readonly T[]> => s.array(item);
export const nullSchema = new s.Schema<null>({ type: "null" }, (value, tell) => {
  if (value !== null) tell("expected null");
  return null;
});
