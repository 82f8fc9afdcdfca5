import { type Schema, schema as s } from "@pith/agent";
import { isRecord } from "@pith/kit";

export const of = s.objectOf;

/** What a program sends: fields that are not known here are passed over, as clients of later versions may send more. */
export function sent<S extends s.ObjectShape>(shape: S): Schema<s.ObjectOf<S>> {
  const known = s.object(shape);
  const own = ([name]: [string, unknown]) => Object.hasOwn(shape, name);
  return new s.Schema(known.json, (value, tell) => {
    return known.read(isRecord(value) ? Object.fromEntries(Object.entries(value).filter(own)) : value, tell);
  });
}

/** Something that is said elsewhere: an object of which only this much is promised. */
export const open = <T extends object>(shape: s.ObjectShape = {}): Schema<T> =>
  new s.Schema<T>({ ...s.object(shape).json, additionalProperties: true }, (value) => value as T);

export const text = s.string();
export const truth = s.boolean();
export const whole = s.int();
export const fields = s.record(s.unknown());
export const list = <T>(item: Schema<T>): Schema<readonly T[]> => s.array(item);
export const none = new s.Schema<null>({ type: "null" }, (value, tell) => {
  if (value !== null) tell("expected null");
  return null;
});
