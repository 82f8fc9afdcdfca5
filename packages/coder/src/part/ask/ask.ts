import type { MakePart } from "../../hall/part.ts";
import { recordedPrompt } from "../../session/recorded.ts";
import { ask as askTool } from "./tool.ts";

/**
 * Questions of the model to the person. Offered where somebody can answer. A session whose model was told of the tool
 * keeps it elsewhere, too, so that the prompt stays the same; the tool then answers that nobody is there.
 */
export const ask: MakePart<"settings" | "questions" | "tree" | "choice" | "interrupt" | "channel"> = (hall) => {
  const { settings, questions, tree, choice } = hall;
  if (!settings.get("ask.enabled")) return undefined;
  const nobody = questions.asks === "nobody";
  if (nobody && !recordedPrompt(tree)?.tools.some(({ name }) => name === "ask")) return undefined;
  const wait = (seconds: number) => (seconds > 0 && choice.approval !== "plan" ? seconds * 1000 : undefined);
  const open = () => hall.channel.scene.questions.map(({ text }) => `- ${text}`);
  return {
    name: "ask",
    keeps: { words: () => (open().length === 0 ? [] : [{ title: "Open questions", text: open().join("\n") }]) },
    tools: [
      askTool({
        person: nobody ? undefined : (asked, signal) => questions.ask(asked, signal),
        waits: () => ({
          timeoutMs: wait(settings.get("ask.timeout")),
          editorTimeoutMs: wait(settings.get("ask.editorTimeout")),
          quiet: settings.get("ask.notify") === "off",
        }),
        // Not awaited, because the call runs in the turn that ends here.
        stop: (reason) => void hall.interrupt(reason),
      }),
    ],
  };
};
