import { schema as s } from "@pith/agent";
import { events, lineRow, type WireEvent } from "./event.ts";
import { bool, fields, int, list, text } from "./schema.ts";

// What RPC writes beside the events of a session: answers to commands, dialogs for clients made for pi, and calls of
// tools that the client has brought.

const row = lineRow(true);
const ready = row("ready", "the first line: commands are taken from here on", {
  protocol: int.describe("the version of this page"),
  version: text.describe("of pith"),
  sessionId: text,
  sessionFile: text.optional(),
  cwd: text,
});
const response = row("response", "the answer to a command; `id` is the command's", {
  id: s.unknown().optional(),
  command: text,
  success: bool,
  data: s.unknown().optional(),
  error: text.optional(),
});
const dialog = row("extension_ui_request", "a question again, as a dialog of pi; or something to show", {
  id: text,
  method: s.oneOf(["select", "confirm", "input", "editor", "notify", "setStatus", "setWidget", "setTitle"]),
  title: text.optional(),
  message: text.optional(),
  options: list(text).optional(),
  placeholder: text.optional(),
  prefill: text.optional(),
  timeout: int.optional(),
  notifyType: s.oneOf(["info", "warning", "error"]).optional(),
  statusKey: text.optional(),
  statusText: text.optional(),
  widgetKey: text.optional(),
  widgetLines: list(text).optional(),
  widgetPlacement: s.oneOf(["aboveEditor", "belowEditor"]).optional(),
});
const scene = row("scene", "of serve: what stands, to whoever joins; with the entries since the last one it has seen", {
  sessionId: text,
  cwd: text,
  title: text.optional(),
  model: text,
  approval: text,
  running: bool,
  waiting: int.describe("questions that wait for an answer"),
  state: text,
  answer: s.object({ text, thinking: text }).describe("so far, of the one that streams"),
  calls: list(s.object({ id: text, name: text, args: fields, text: text.optional() })),
  queue: list(s.object({ id: text, when: text, text })),
  questions: list(s.unknown()).describe("as events of that name"),
  status: fields,
  spent: fields,
  context: s.number().optional(),
  entries: list(s.unknown()),
  whole: bool.describe("`entries` are all of the path: the last one seen is not on it"),
});
/** All of them, in the order of the page. */
export const frames = [
  ready,
  response,
  row("bash_execution_update", "what the `bash` command says, all of it; `id` is the command's", {
    id: s.unknown().optional(),
    delta: text,
  }),
  dialog,
  scene,
  row("host_tool_call", "the model calls a tool of the client, and somebody allowed it", {
    id: text,
    toolCallId: text,
    toolName: text,
    arguments: fields,
  }),
  row("host_tool_cancel", "nobody waits for that call any more", { id: text, targetId: text }),
  row("extension_error", "a hook of an extension failed", { extensionPath: text, event: text, error: text }),
] as const;

export type Frame = s.Infer<(typeof frames)[number]["schema"]>;
export type SceneLine = s.Infer<typeof scene.schema>;
export type Dialog = s.Infer<typeof dialog.schema>;
export type Response = s.Infer<typeof response.schema>;
/** Anything that may be written as a line. */
export type Line = WireEvent | Frame;
export const lines = [...frames, ...events];
