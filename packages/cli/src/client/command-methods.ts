import type { CommandRow } from "../wire/command/row.ts";
import { type CommandName, commands, type Gives, type Takes } from "../wire/command.ts";

type CamelCase<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<CamelCase<B>>}` : S;
type IsOne<K, All = K> = [K] extends [never] ? false : K extends All ? ([All] extends [K] ? true : false) : never;
/** The answer to a question for one thing is that thing. */
type Answer<N extends CommandName> = N extends `get_${string}`
  ? IsOne<keyof Gives<N>> extends true
    ? Gives<N>[keyof Gives<N>]
    : Gives<N>
  : Gives<N>;
type Method<N extends CommandName, T = Takes<N>> = [keyof T] extends [never]
  ? () => Promise<Answer<N>>
  : object extends T
    ? (value?: T[keyof T]) => Promise<Answer<N>>
    : (value: T[keyof T]) => Promise<Answer<N>>;
/** Commands of one field at most. */
type Simple = {
  [N in CommandName]: [keyof Takes<N>] extends [never] ? N : IsOne<keyof Takes<N>> extends true ? N : never;
}[CommandName];
type Methods = { readonly [N in Exclude<Simple, "set_host_tools"> as CamelCase<N>]: Method<N> };

interface Requester {
  request(type: string, args: object): Promise<unknown>;
}

/** Makes a method for each command of one field at most; the field is its argument. */
export function commandMethods(table: Readonly<Record<string, Pick<CommandRow, "takes">>>): Record<string, unknown> {
  const methods = Object.entries(table).flatMap(([name, { takes }]) => {
    const [field, another] = Object.keys(takes.json.properties ?? {});
    if (another !== undefined) return [];
    const method = async function (this: Requester, value?: unknown): Promise<unknown> {
      const answer = await this.request(name, field === undefined ? {} : { [field]: value });
      const [only, more] = name.startsWith("get_") ? Object.values(answer as object) : [];
      return only !== undefined && more === undefined ? only : answer;
    };
    return [[name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()), method] as const];
  });
  return Object.fromEntries(methods);
}

abstract class Requests {
  /** Any command of the table, by its name. */
  abstract request<N extends CommandName>(type: N, args: Takes<N>): Promise<Gives<N>>;
}
Object.assign(Requests.prototype, commandMethods(commands));

/** A class with a method for each command of one field at most, named as the command is. */
export const CommandMethods = Requests as abstract new () => Requests & Methods;
