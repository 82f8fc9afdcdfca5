import { expect, test } from "bun:test";
import { taskComplete } from "../message/stream.ts";
import { ask, model, reply, result, user } from "../test/fixture.ts";
import { ollamaEncoder } from "./ollama/encode.ts";
import { chatEncoder } from "./openai-chat/encode.ts";

const call = { type: "toolCall", id: "a", name: "read", arguments: { path: "x" } } as const;
const text = (said: string) => ({ type: "text", text: said }) as const;
const history = [
  user("do it"),
  reply([call]),
  result("a", [text("content")]),
  user("packet"),
  user("and this"),
  { ...reply([]), rawStopReason: taskComplete },
  user("more"),
];

test.each([
  ["chat", chatEncoder],
  ["ollama", ollamaEncoder],
] as const)("on a strict template of %s two sides take turns, and nothing that was sent changes", (_, encoder) => {
  for (const userMessages of ["joined", "after replies"] as const) {
    const encode = encoder({ userMessages, describesCalls: true });
    const sent = [1, 5, 7].map((length) => encode(ask(history.slice(0, length), { model })).join(""));
    const messages: { role: string; content: string }[] = JSON.parse(sent.at(-1) ?? "").messages;
    const [, called, answer, packet] = messages;
    expect(called?.content).toBe("I read x");
    expect(messages.map(({ role }) => role)).toEqual(
      userMessages === "joined"
        ? ["user", "assistant", "tool", "user", "assistant", "user"]
        : ["user", "assistant", "tool", "assistant", "user"],
    );
    const last = userMessages === "joined" ? packet : answer;
    expect(last?.content).toEndWith("packet\nand this");
    // The end of a request, without its closing brackets, begins the next one.
    for (const [at, body] of sent.entries()) expect(sent[at + 1] ?? body).toStartWith(body.slice(0, -'"}]}'.length));
  }
});

test("a picture in a result and what is said behind it are one message", () => {
  const sees = { ...model, input: ["text", "image"] as const };
  const image = { type: "image", data: "AA==", mimeType: "image/png" } as const;
  const shown = [user("look"), reply([call]), result("a", [image]), user("packet")];
  const roles = (userMessages: "joined" | "after replies") =>
    JSON.parse(chatEncoder({ userMessages })(ask(shown, { model: sees })).join("")).messages.map(
      ({ role }: { role: string }) => role,
    );
  expect(roles("joined")).toEqual(["user", "assistant", "tool", "user"]);
  expect(roles("after replies")).toEqual(["user", "assistant", "tool"]);
});
