import { join } from "node:path";
import { realPath } from "@pith/kit";
import { Looking } from "../files/sight.ts";
import type { MakePart } from "../hall/part.ts";
import { type Inside, insideOf, mayLook } from "../policy/approval.ts";
import { Grants } from "../policy/grant/grant.ts";
import type { ReadRules } from "../policy/rule/path-rules.ts";

declare module "../hall/hall.ts" {
  interface Hall {
    /** The directories that count as the conversation's own. */
    inside: Inside;
    /** Answers that hold for longer than one call. */
    grants: Grants;
    /** True when a rule closes a path to everybody. */
    forbids(path: string): boolean;
    /** Decides which paths may be read while a call is being prepared. */
    access: Access;
  }
}

export interface Access {
  looking: Looking;
  /** The rules about paths, if there are any. */
  closed: ReadRules | undefined;
  isOpen(...paths: string[]): boolean;
}

type Directories = "cwd" | "home" | "userHome" | "roots" | "directory";
type Needs = Directories | "opened" | "channel" | "choice" | "rules" | "sandbox" | "named";

/** Paths that calls may reach, by the mode, the rules and the answers so far. */
export const access: MakePart<Needs, "inside" | "grants" | "forbids" | "access"> = (hall) => {
  const { cwd, home, userHome, roots, channel, directory, choice, rules, sandbox, named } = hall;
  const closed = rules.reads;
  const own = directory.perFolder((folder) => insideOf({ cwd, roots, home, folder }));
  const inside: Inside = {
    ...own(),
    get kept() {
      return own().kept;
    },
    // Commands see a directory of the session as `/tmp`.
    get scratch() {
      const tmp = sandbox.tmp();
      return tmp === undefined ? own().scratch : [...own().scratch, realPath(tmp)];
    },
    get named() {
      return sandbox.tmp() === undefined ? [] : [...named.paths].filter((path) => sandbox.isGiven(path));
    },
  };
  const isOpen = (...paths: string[]) => closed === undefined || closed.verdict(...paths) === "allow";
  const looking = new Looking((real, path) => mayLook(choice.approval, inside, userHome, real) && isOpen(real, path));
  const tell = (text: string) => channel.notify({ level: "warn", text });
  const project = inside.project[0] ?? cwd;
  return {
    name: "access",
    owns: {
      inside,
      grants: hall.opened.grants ?? new Grants({ file: join(home, "grants.yml"), project, tell }),
      forbids: (path) => closed?.verdict(path, realPath(path)) === "deny",
      access: { looking, closed, isOpen },
    },
  };
};
