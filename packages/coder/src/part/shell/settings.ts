import { always, choiceOf, freeText, integer, manyIn, settingGroup, toggle, toolSwitches } from "../../setting/spec.ts";

export const settings = {
  ...toolSwitches("bash", "job"),
  ...settingGroup({ tab: "tools", group: "Shell" })({
    // Where commands run decides what holds them: no project says it, trusted or not.
    "acp.terminal": {
      ...choiceOf(["own", "client"], "own"),
      safest: "own",
      about:
        "Where the model's commands run under an editor: in our shell, or in the editor's terminal without a sandbox (docs/acp.md).",
    },
    "bash.path": { ...freeText(), trusted: always, about: "The bash or sh that runs commands; unset finds one." },
    "bash.timeout": {
      ...integer(1, 3600, 300),
      harmless: always,
      about: "Timeout of a command in seconds, unless the call has one.",
    },
    "bash.stripTrailingHeadTail": {
      ...toggle(true),
      harmless: always,
      about: "Runs a command without its trailing | tail and shows the lines tail would show, so that nothing is lost.",
    },
    "bash.minimize": {
      ...toggle(true),
      harmless: always,
      about: "Shortens the output of test runners, package managers and compilers for the model.",
    },
    "bash.shownBytes": {
      ...integer(1024, 1024 * 1024, 16 * 1024),
      applies: "turn",
      trusted: always,
      about: "Bytes of a command's output that the model is shown, at most a twentieth of its window.",
    },
    "bash.maxOutputBytes": {
      ...integer(1024 * 1024, 2 ** 40, 256 * 1024 * 1024),
      about: "Bytes of output after which a command is ended; no more is stored.",
    },
    "bash.maxMemoryMb": {
      ...integer(16, 2 ** 30),
      about: "Memory of one command; unset is four fifths of the machine's.",
    },
    "bash.maxProcesses": { ...integer(8, 2 ** 22, 4096), about: "Processes of one command." },
    "bash.maxFileMb": { ...integer(1, 2 ** 40), about: "Size of one file that a command writes; unset is no limit." },
    "bash.minFreeDiskMb": {
      ...integer(0, 2 ** 30, 256),
      about: "Free disk space below which a command is ended.",
    },
    "bash.sessionMemoryMb": {
      ...integer(16, 2 ** 30),
      about:
        "Memory of all commands of a session together, if the system has control groups; unset is that of one command.",
    },
    "bash.sessionProcesses": {
      ...integer(8, 2 ** 22, 8192),
      about: "Processes of all commands of a session together, if the system has control groups.",
    },
    "bashInterceptor.enabled": {
      ...toggle(false),
      harmless: always,
      about: "Refuses commands for which there is a tool.",
    },
    "bashInterceptor.rules": {
      ...manyIn("\n"),
      trusted: always,
      about: "More commands to refuse, one per line: the tool, a colon, a regular expression.",
    },
  }),
  ...settingGroup({ tab: "tools", group: "Jobs" })({
    "async.enabled": {
      ...toggle(true),
      harmless: (value) => value === false,
      about: "Lets the model run commands in the background.",
    },
    "async.maxJobs": { ...integer(1, 100, 15), trusted: always, about: "Background jobs that may run at once." },
    "async.pollWaitDuration": {
      ...choiceOf(["5s", "10s", "30s", "1m", "5m"], "30s"),
      harmless: always,
      about: "How long the job tool waits.",
    },
    "bash.autoBackground.enabled": {
      ...toggle(false),
      harmless: always,
      about: "Turns commands that take long into background jobs.",
    },
    "bash.autoBackground.thresholdMs": {
      ...integer(100, 3_600_000, 60_000),
      harmless: always,
      about: "Milliseconds after which a command becomes a background job.",
    },
  }),
};
