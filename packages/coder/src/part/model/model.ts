import { plural } from "@pith/kit";
import { modelName } from "@pith/llm";
import { show } from "../../command/command.ts";
import type { MakePart } from "../../hall/part.ts";

/** Shows and changes the model of the conversation. */
export const model: MakePart<"choice" | "channel"> = ({ choice, channel }) => ({
  name: "model",
  input(input) {
    const { model } = choice;
    if (input.images?.length && !model.input.includes("image"))
      channel.notify({
        level: "warn",
        text: `${modelName(model)} reads text only, so ${plural(input.images.length, "picture")} will be left out. \
/models shows models that see pictures; for one that pith does not know, models.yml says input: [text, image].`,
      });
    return input;
  },
  commands: [
    {
      name: "model",
      about: "show the model, or choose one for the next turn",
      usage: "[name]",
      async run(words) {
        if (words === "")
          return show(`${modelName(choice.model)}${choice.effort ? `, thinking ${choice.effort}` : ""}`);
        const used = await choice.use(words);
        return used.ok
          ? show(`From the next turn on ${modelName(used.value)} is asked.`)
          : show(used.message, "failed");
      },
    },
  ],
});
