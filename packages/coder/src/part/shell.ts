import type { MakePart } from "../hall/part.ts";
import { shellKeeper } from "../job/resumed.ts";
import { bash } from "../tools/bash/bash.ts";
import { defaultRules, readRules } from "../tools/bash/intercept.ts";
import { job } from "../tools/job/job.ts";

/** The shell of the session, and the tool for what it runs in the background. */
export const shell: MakePart<
  | "settings"
  | "files"
  | "commands"
  | "snapshots"
  | "choice"
  | "agent"
  | "env"
  | "face"
  | "clock"
  | "channel"
  | "tools"
  | "tree"
  | "cwd"
  | "confinement"
> = (hall) => {
  const { settings, files, commands, snapshots, choice, agent, env, face, clock, channel, tools, tree, cwd } = hall;
  const { confinement } = hall;
  const keeper = shellKeeper(commands.shell, { tree, cwd, record: (draft) => void channel.record(draft) });
  const { rules, problems } = readRules(settings.get("bashInterceptor.rules") ?? "");
  for (const text of problems) channel.tell({ level: "warn", text });
  const background = settings.get("bash.autoBackground.enabled");
  const made = [
    settings.get("bash.enabled") &&
      bash({
        ...commands,
        files,
        owner: agent,
        timeout: settings.get("bash.timeout"),
        pipes: settings.get("bash.stripTrailingHeadTail") ? "strip" : "keep",
        rules: settings.get("bashInterceptor.enabled") ? [...rules, ...defaultRules] : [],
        has: (name) => tools.get(name) !== undefined,
        confinement: settings.get("sandbox.mode") === "off" ? undefined : confinement,
        backgroundMs: background ? settings.get("bash.autoBackground.thresholdMs") : undefined,
        face: env.PITH_NO_PTY === "1" ? undefined : face,
        patch: {
          snapshots,
          apply: settings.get("edit.apply"),
          finalNewline: settings.get("edit.finalNewline"),
          generated: settings.get("edit.generated"),
          check: settings.get("edit.check"),
          tags: choice.dialect === "hashline" ? "shown" : "left out",
        },
      }),
    settings.get("job.enabled") &&
      job({ jobs: commands.jobs, owner: agent, wait: settings.get("async.pollWaitDuration"), now: () => clock.now() }),
  ];
  return {
    name: "shell",
    tools: made.filter((tool) => tool !== false),
    hooks: [keeper],
    // What people ran since the last turn counts too.
    [Symbol.asyncDispose]: async () => keeper.keep(),
  };
};
