import { choiceOf, manyIn, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "safety", group: "Sandbox" })({
  "sandbox.mode": {
    ...choiceOf(["off", "workspace", "read-only"]),
    // A project may only make it stricter.
    harmless: (value) => value === "read-only",
    about:
      "What commands of the model may write: everything (off), the project (workspace), or nothing of it (read-only); unset is workspace, and off in the mode yolo.",
  },
  "sandbox.paths": {
    ...manyIn("\n"),
    about: "More folders that commands in the sandbox may write; a list, or one per line.",
  },
  "sandbox.localhost": {
    ...manyIn(", "),
    items: "numbers",
    about: "Ports of this machine that commands in the sandbox may reach at localhost: [3000, 5432].",
  },
  "sandbox.domains": {
    ...manyIn("\n"),
    about:
      "Hosts that commands in the sandbox may reach, one per line: example.com, *.example.com, example.com:8443; methods of plain HTTP may follow (GET,POST).",
  },
});
