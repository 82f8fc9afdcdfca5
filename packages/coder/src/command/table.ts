import { existsSync } from "node:fs";
import { nearest } from "@pith/kit";
import { type Command, show } from "./command.ts";

/** What was typed, read as a command. */
export type Typed =
  | { is: "command"; command: Command; words: string }
  | { is: "unknown"; message: string }
  | { is: "text" };

/** All slash commands of a conversation. Help and completion are made of it. */
export class CommandTable {
  readonly #rows = new Map<string, Command>();
  #later: () => readonly Command[] = () => [];

  constructor() {
    this.add([
      {
        name: "help",
        about: "this list",
        when: "any time",
        run: () => show(this.help()),
      },
    ]);
  }

  /** A name that is taken stays with who has it; those are handed back. */
  add(commands: readonly Command[]): string[] {
    const taken: string[] = [];
    for (const command of commands) {
      if (this.#rows.has(command.name)) taken.push(command.name);
      else this.#rows.set(command.name, command);
    }
    return taken;
  }

  /** Rows of the interface: one that has the name of a row here takes its place in the list. */
  cover(commands: readonly Command[]): void {
    for (const command of commands) this.#rows.set(command.name, command);
  }

  /** Rows that are looked for each time somebody asks, because files may bring them; those that are there stay. */
  find(later: () => readonly Command[]): void {
    this.#later = later;
  }

  /** Those that are always there. */
  get own(): readonly Command[] {
    return [...this.#rows.values()];
  }

  get rows(): readonly Command[] {
    return [...this.own, ...this.#later()];
  }

  /** A command is a name behind a slash, alone or before a space; what exists as a path is one. */
  read(text: string): Typed {
    if (!text.trimStart().startsWith("/")) return { is: "text" };
    const [, any = "", words = ""] = /^\/([\p{L}\p{N}_][\p{L}\p{N}_.:-]*)(?:\s+([\s\S]*))?$/u.exec(text.trim()) ?? [];
    const known = this.#rows.get(any) ?? this.own.find(({ aliases }) => aliases?.includes(any));
    // Files are looked at only for what nobody else knows.
    const command = known ?? (any === "" ? undefined : this.#brought(any));
    const name = command ? any : /^[a-z][\w:-]*$/.exec(any)?.[0];
    if (name === undefined) return { is: "text" };
    if (command && !command.usage && words.trim() !== "")
      return { is: "unknown", message: `/${name} takes no words; without the slash they go to the model.` };
    if (command) return { is: "command", command, words: words.trim() };
    // What goes on in the next line is no command that somebody mistyped.
    if (existsSync(`/${name}`) || text.trim().startsWith(`/${name}\n`)) return { is: "text" };
    return { is: "unknown", message: `There is no command /${name}.${this.#near(name)} /help lists them all.` };
  }

  /** What files bring under a name; by another name of it only where one alone has that. */
  #brought(name: string): Command | undefined {
    const rows = this.#later();
    const [like, other] = rows.filter(({ aliases }) => aliases?.includes(name));
    return rows.find((row) => row.name === name) ?? (other ? undefined : like);
  }

  help(): string {
    const heads = this.rows.map(({ name, usage }) => `/${name}${usage ? ` ${usage}` : ""}`);
    const width = Math.min(28, Math.max(...heads.map((head) => head.length)));
    const also = ({ aliases = [] }: Command) => (aliases.length > 0 ? ` (also /${aliases.join(", /")})` : "");
    return this.rows.map((row, at) => `${(heads[at] ?? "").padEnd(width)}  ${row.about}${also(row)}`).join("\n");
  }

  /** What may stand where the last word is being typed. */
  async complete(text: string): Promise<readonly string[]> {
    const name = /^\/([\w:-]*)$/.exec(text)?.[1];
    if (name !== undefined) return this.rows.flatMap((row) => (row.name.startsWith(name) ? [`/${row.name}`] : []));
    const typed = this.read(text);
    if (typed.is !== "command") return [];
    // A space at the end says that a word is whole and the next one begins.
    const words = text.trimStart().replace(/^\S+\s*/, "");
    return (await typed.command.complete?.(words)) ?? [];
  }

  #near(name: string): string {
    const own = this.own.flatMap((row) => [row.name, ...(row.aliases ?? [])]);
    const names = [...own, ...this.#later().map((row) => row.name)];
    const near = nearest(name, names);
    const begins = (known: string) => name.length > 1 && known.startsWith(name);
    const like = names.filter((known) => known === near || begins(known) || known.endsWith(`:${name}`));
    return like.length > 0 ? ` Did you mean ${like.map((known) => `/${known}`).join(" or ")}?` : "";
  }
}
