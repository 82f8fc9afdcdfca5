import type { MakePart } from "../../hall/part.ts";
import { UserCommands } from "../../shell/user-commands.ts";

declare module "../../hall/hall.ts" {
  interface Hall {
    /** Runs commands that people type themselves. */
    typed: UserCommands;
  }
}

type Needs = "shell" | "channel" | "settings" | "keys" | "clock" | "env" | "cwd" | "userHome" | "inside" | "face";

/** Runs commands of people. One that ran during a turn is recorded before the next request, or at the turn's end. */
export const typed: MakePart<Needs, "typed"> = (hall) => {
  const { shell, channel, settings, keys, clock, env, cwd, userHome, inside, face } = hall;
  const typed = new UserCommands({
    commands: shell,
    channel,
    timeoutMs: settings.get("bash.timeout") * 1000,
    keys,
    now: () => clock.now(),
    origin: async (command) =>
      (await import("../../policy/way.ts")).typedOrigin(command, { cwd, userHome, inside, shell: shell.shell, env }),
    pictures: env.PITH_FORCE_IMAGE_PROTOCOL === "sixel" && env.PITH_ALLOW_SIXEL_PASSTHROUGH === "1" ? "show" : "drop",
    seen: face && env.PITH_NO_PTY !== "1" ? { face, env } : undefined,
  });
  return {
    name: "typed",
    owns: { typed },
    step: () => typed.flush(),
    // Commands that ended during the last answer of the turn.
    idle: () => typed.flush(),
    [Symbol.asyncDispose]: () => typed.stop(),
  };
};
