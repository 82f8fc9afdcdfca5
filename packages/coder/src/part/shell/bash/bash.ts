import type { Tool } from "@pith/agent";
import { fill } from "@pith/kit";
import { mayPatch } from "../../../edit/apply-patch/named.ts";
import about from "./bash.md" with { type: "text" };
import brief from "./bash.short.md" with { type: "text" };
import anew from "./client-terminal.md" with { type: "text" };
import { type BashInput, type BashOptions, maxTimeout, offered } from "./input.ts";
import kept from "./own-shell.md" with { type: "text" };

export function bash(options: BashOptions): Tool<BashInput> {
  const usual = options.timeout ?? 300;
  const background = options.jobs ? "; with `async: true` it goes on as a background job, for as long as it takes" : "";
  const state = (options.clientShell ? anew : kept).trimEnd();
  return {
    name: "bash",
    about: fill(about, { state, timeout: usual, max: maxTimeout, background }),
    brief: fill(brief, { state, timeout: usual }),
    input: offered(options.jobs !== undefined, options.sandbox !== undefined && !options.looks),
    // A patch is a write, wherever it was meant to run.
    beside: ({ async, command }) => async === true && !(options.patch && mayPatch(command)),
    async prepare(wanted, how) {
      preparing ??= import("./prepare.ts");
      return (await preparing).prepare(options, { usual, ...wanted }, how);
    },
  };
}

/** The code that reads commands is loaded with the first of them. */
let preparing: Promise<typeof import("./prepare.ts")> | undefined;
