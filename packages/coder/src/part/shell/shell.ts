import type { MakePart } from "../../hall/part.ts";
import type { commandJudge, LiveSources } from "../../policy/command-judge.ts";
import { isTrustedRepository } from "../../policy/trust/trust.ts";
import type { ClientShell, ClientShellOptions, Terminals } from "../../shell/client-terminal.ts";
import { shellKeeper } from "../../shell/resume.ts";
import { bash } from "./bash/bash.ts";
import type { BashOptions } from "./bash/input.ts";
import { defaultRules, readInterceptRules } from "./bash/intercept-rules.ts";
import { job } from "./job/job.ts";

type Surroundings = "cwd" | "env" | "face" | "clock" | "keys" | "launch" | "inside" | "userHome" | "trust" | "scope";
type Session =
  | "settings"
  | "files"
  | "shell"
  | "snapshots"
  | "choice"
  | "agent"
  | "channel"
  | "tools"
  | "tree"
  | "sandbox"
  | "asks";

/** The shell of the session, and the tool for what it runs in the background. */
export const shell: MakePart<Surroundings | Session> = (hall) => {
  const { settings, files, shell, snapshots, choice, agent, env, face, clock, channel, tools, tree, cwd } = hall;
  const { sandbox, keys, inside, userHome, trust } = hall;
  const { terminals } = hall.launch;
  const keeper = shellKeeper(shell.shell, { tree, cwd, record: (draft) => void channel.record(draft) });
  const { rules, problems } = readInterceptRules(settings.get("bashInterceptor.rules") ?? "");
  for (const text of problems) channel.notify({ level: "warn", text });
  const background = settings.get("bash.autoBackground.enabled");
  const made = [
    settings.get("bash.enabled") &&
      bash({
        ...shell,
        clientShell:
          terminals &&
          awayIn(terminals, {
            program: settings.get("bash.path") ?? "bash",
            hidden: Object.keys(keys),
            shell: shell.shell,
          }),
        files,
        judge: lateJudge({
          cwd,
          userHome,
          inside,
          env,
          isTrusted: (folder) => isTrustedRepository(trust, folder),
          isGiven: (path) => sandbox.isGiven(path),
        }),
        approval: () => choice.approval,
        asks: () => hall.asks || choice.approval === "yolo",
        looks: hall.scope === "child" ? true : undefined,
        owner: agent,
        timeout: settings.get("bash.timeout"),
        pipes: settings.get("bash.stripTrailingHeadTail") ? "strip" : "keep",
        rules: settings.get("bashInterceptor.enabled") ? [...rules, ...defaultRules] : [],
        has: (name) => tools.get(name) !== undefined,
        sandbox: settings.get("sandbox.mode") === "off" ? undefined : sandbox,
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
      job({ jobs: shell.jobs, owner: agent, wait: settings.get("async.pollWaitDuration"), now: () => clock.now() }),
  ];
  return {
    name: "shell",
    tools: made.filter((tool) => tool !== false),
    hooks: [keeper],
    keeps: { state: ["pith.shell"] },
    // What people ran since the last turn counts too.
    [Symbol.asyncDispose]: async () => keeper.keep(),
  };
};

/** The judge of commands; its code is loaded by the first. */
function lateJudge(sources: LiveSources): NonNullable<BashOptions["judge"]> {
  let judge: ReturnType<typeof commandJudge> | undefined;
  return async (command, tree) => {
    judge ??= (await import("../../policy/command-judge.ts")).commandJudge(sources);
    return judge(command, tree);
  };
}

/** Few have terminals of somebody else. */
const awayIn = (terminals: Terminals, options: ClientShellOptions): ClientShell => ({
  async start(command) {
    const { clientShell } = await import("../../shell/client-terminal.ts");
    return clientShell(terminals, options).start(command);
  },
});
