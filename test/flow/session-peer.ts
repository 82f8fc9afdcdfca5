// Played by session-peer.test.ts in a process of its own: makes or reads a session with the real package of a relative.
//   session-peer.ts <module of its session manager> make <folder>
//   session-peer.ts <module of its session manager> read <file>
interface Peer {
  SessionManager: {
    create(cwd: string, folder: string): Manager;
    open(file: string): Manager | Promise<Manager>;
  };
}
interface Manager {
  appendMessage(message: object): string;
  appendModelChange(...args: string[]): string;
  appendThinkingLevelChange(level: string): string;
  appendCustomEntry(type: string, data: unknown): string;
  appendCustomMessageEntry(type: string, content: string, display: boolean, details?: unknown): string;
  appendLabelChange(id: string, label: string): string;
  branch(id: string): void;
  branchWithSummary(id: string, summary: string): string;
  getSessionFile(): string;
  getLeafId(): string;
  getEntries(): { type: string }[];
  buildSessionContext(): { messages: { role: string; content?: unknown; summary?: string }[] };
  setSessionName?(name: string, source: string): Promise<boolean>;
  appendSessionInfo?(name: string): string;
  flush?(): Promise<void>;
}

const [source = "", verb = "", place = ""] = process.argv.slice(2);
const { SessionManager } = (await import(source)) as Peer;
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost };
const reply = (content: object[], stopReason: string) => ({
  role: "assistant",
  content,
  api: "openai-completions",
  provider: "mock",
  model: "mock-model",
  usage,
  stopReason,
  timestamp: 2,
});
const text = (said: string) => ({ type: "text", text: said });

async function make(): Promise<string> {
  const manager = SessionManager.create("/project", place);
  if (manager.appendSessionInfo) manager.appendModelChange("mock", "mock-model");
  else manager.appendModelChange("mock/mock-model");
  manager.appendThinkingLevelChange("low");
  const asked = manager.appendMessage({
    role: "user",
    content: [
      text("list the files"),
      { type: "image", data: Buffer.alloc(3000, 7).toString("base64"), mimeType: "image/png" },
    ],
    timestamp: 1,
  });
  manager.appendMessage(
    reply([text("looking"), { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } }], "toolUse"),
  );
  manager.appendMessage({
    role: "toolResult",
    toolCallId: "c1",
    toolName: "bash",
    content: [text("a.txt\nb.txt")],
    isError: false,
    timestamp: 3,
  });
  const answer = manager.appendMessage(reply([text("two files, äöü 漢字 🙂")], "stop"));
  manager.appendCustomEntry("state", { kept: true });
  manager.appendLabelChange(answer, "good");
  manager.appendMessage({ role: "user", content: "a dead end", timestamp: 4 });
  manager.branchWithSummary(answer, "a short way that led nowhere");
  manager.appendCustomMessageEntry("hint", "mind the gap", true);
  manager.appendMessage({
    role: "bashExecution",
    command: "pwd",
    output: "/project",
    exitCode: 0,
    cancelled: false,
    truncated: false,
    timestamp: 5,
  });
  manager.appendMessage({ role: "user", content: "and now?", timestamp: 6 });
  manager.appendMessage(reply([{ type: "thinking", thinking: "hm", thinkingSignature: "sig" }, text("done")], "stop"));
  if (manager.appendSessionInfo) manager.appendSessionInfo("files of a project");
  await manager.setSessionName?.("files of a project", "user");
  await manager.flush?.();
  return JSON.stringify({ file: manager.getSessionFile(), asked, answer });
}

async function read(): Promise<string> {
  const manager = await SessionManager.open(place);
  const { messages } = manager.buildSessionContext();
  return JSON.stringify({ leaf: manager.getLeafId(), entries: manager.getEntries().length, messages });
}

process.stdout.write(`${verb === "make" ? await make() : await read()}\n`);
process.exit(0);

export {};
