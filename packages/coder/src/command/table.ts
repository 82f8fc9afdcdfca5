import { existsSync } from "node:fs";
import { nearest } from "@pith/kit";
import { type Command, show } from "./command.ts";

/** A typed text, read as a command. */
export type Typed =
  | { is: "command"; command: Command; words: string }
  | { is: "unknown"; message: string }
  | { is: "text" };

/** All slash commands of a conversation, for help and completion. */
export class CommandTable {
  readonly #rows = new Map<string, Command>();
  #later: () => readonly Command[] = () => [];

  constructor() {
    this.add([
      {
        name: "help",
        about: "show this list",
        when: "any time",
        run: () => show(this.help()),
      },
    ]);
  }

  /** Adds commands; returns the names that were taken already. */
  add(commands: readonly Command[]): string[] {
    const taken: string[] = [];
    for (const command of commands) {
      if (this.#rows.has(command.name)) taken.push(command.name);
      else this.#rows.set(command.name, command);
    }
    return taken;
  }

  /** Sets commands of the interface, which replace others of the same name. */
  cover(commands: readonly Command[]): void {
    for (const command of commands) this.#rows.set(command.name, command);
  }

  /** Sets a search for commands in files, which runs each time commands are asked for. */
  find(later: () => readonly Command[]): void {
    this.#later = later;
  }

  /** Commands that are always there. */
  get own(): readonly Command[] {
    return [...this.#rows.values()];
  }

  get rows(): readonly Command[] {
    return [...this.own, ...this.#later()];
  }

  /** Reads a text: a command is a name behind a slash, alone or before a space, unless that exists as a path. */
  read(text: string): Typed {
    if (!text.trimStart().startsWith("/")) return { is: "text" };
    const [, any = "", words = ""] = /^\/([\p{L}\p{N}_][\p{L}\p{N}_.:-]*)(?:\s+([\s\S]*))?$/u.exec(text.trim()) ?? [];
    const known = this.#rows.get(any) ?? this.own.find(({ aliases }) => aliases?.includes(any));
    // Files are searched only for unknown names.
    const command = known ?? (any === "" ? undefined : this.#brought(any));
    const name = command ? any : /^[a-z][\w:-]*$/.exec(any)?.[0];
    if (name === undefined) return { is: "text" };
    if (command && !command.usage && words.trim() !== "")
      return { is: "unknown", message: `/${name} takes no words; without the slash they go to the model.` };
    if (command) return { is: "command", command, words: words.trim() };
    // A path, or a text that goes on in the next line, is no mistyped command.
    if (existsSync(`/${name}`) || text.trim().startsWith(`/${name}\n`)) return { is: "text" };
    return { is: "unknown", message: `There is no command /${name}.${this.#near(name)} /help lists them all.` };
  }

  /** Finds a command of files by its name, or by an alias that only one of them has. */
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

  /** Completes the last word. */
  async complete(text: string): Promise<readonly string[]> {
    const name = /^\/([\w:-]*)$/.exec(text)?.[1];
    if (name !== undefined) return this.rows.flatMap((row) => (row.name.startsWith(name) ? [`/${row.name}`] : []));
    const typed = this.read(text);
    if (typed.is !== "command") return [];
    // After a space the next word begins.
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
