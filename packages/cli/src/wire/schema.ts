import { type Schema, schema as s } from "@pith/agent";
import { isRecord } from "@pith/kit";

type Shape<T> = {
  [K in keyof T]-?: object extends Pick<T, K> ? Schema<unknown> & { readonly required: false } : Schema<unknown>;
};

/** The schema of a type that a lower room owns: every field of it is told, and no other, or it does not compile. */
export const of = <T extends object>(shape: Shape<T>): Schema<T> =>
  s.object(shape as unknown as s.ObjectShape) as unknown as Schema<T>;

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
