import { messageOf, plainText } from "@pith/kit";
import { writeDump } from "../../../../report/debug.ts";
import { flameSvg } from "../../../../report/flame.ts";
import { watchTime } from "../../../../report/profile.ts";
import type { Dialog, ScreenContext } from "../../context.ts";
import { watching } from "./watching.ts";

/** Watches until somebody has seen enough; the screen goes on beside it. */
export async function performanceDialog(context: ScreenContext, close: () => void): Promise<Dialog> {
  const watch = await watchTime();
  return watching(context, close, { title: "performance", hint: "Enter or Esc ends it" }, async () => {
    try {
      const profile = await watch.stop();
      const told = await writeDump(context, [
        { name: "pith.cpuprofile", bytes: Buffer.from(JSON.stringify(profile)) },
        { name: "work-profile.svg", bytes: Buffer.from(flameSvg(profile, "where pith's time went")) },
      ]);
      context.say(told.ok ? "info" : "error", plainText(told.ok ? told.value : told.message));
    } catch (error) {
      context.say("error", plainText(messageOf(error)));
    }
  });
}
