import { messageOf, plainText } from "@pith/kit";
import { openOutside } from "../../../../io/opener.ts";
import { writeDump } from "../../../../report/debug.ts";
import { flameSvg, type Profile } from "../../../../report/flame.ts";
import { watchTime } from "../../../../report/profile.ts";
import { keepFile } from "../../../../report/report.ts";
import type { Dialog, ScreenContext } from "../../context.ts";

const workMs = 30_000;

/** Records where pith's time goes until the dialog is closed; the profile is put into an archive. */
export const performanceDialog = (context: ScreenContext, close: () => void): Promise<Dialog> =>
  watching(context, close, {
    title: "performance",
    hint: "Enter or Esc ends it",
    text: "pith watches itself.",
    async ended(profile) {
      const done = await writeDump(context, {
        "pith.cpuprofile": JSON.stringify(profile),
        "work-profile.svg": flameSvg(profile, "where pith's time went"),
      });
      if (!done.ok) throw new Error(done.message);
      return done.value;
    },
  });

/** Records where pith's time goes for half a minute at most; the profile is drawn as a picture. */
export async function workDialog(context: ScreenContext, close: () => void): Promise<Dialog> {
  const { timers, io } = context;
  const began = timers.now();
  const cancel = timers.after(workMs, close);
  return watching(context, close, {
    title: "work",
    hint: "Enter or Esc ends it sooner",
    text: "pith watches itself for 30 seconds.",
    async ended(profile) {
      cancel();
      const seconds = Math.round((timers.now() - began) / 100) / 10;
      const picture = flameSvg(profile, `where pith's time went in ${seconds} s`);
      const file = keepFile("pith-profile-", `work-profile-${io.clock.now()}.svg`, picture);
      const done = await openOutside(file, io.given ?? io.env, process.platform);
      return `Where its time went is in ${file}.${done === "opened" ? " It is open beside this terminal." : ""}`;
    },
  });
}

interface Watching extends Pick<Dialog, "title" | "hint"> {
  text: string;
  /** Keeps the profile, and says where. */
  ended(profile: Profile): Promise<string>;
}

async function watching(context: ScreenContext, close: () => void, { text, ended, ...head }: Watching) {
  const watch = await watchTime();
  let isOver = false;
  const finish = async () => {
    try {
      context.say("info", plainText(await ended(await watch.stop())));
    } catch (error) {
      context.say("error", plainText(messageOf(error)));
    }
  };
  const dialog: Dialog = {
    ...head,
    rows: 1,
    render: () => [text],
    input(event) {
      if (event.type !== "key" || event.combo !== "enter") return "passed";
      close();
      return "used";
    },
    closed() {
      if (!isOver) void finish();
      isOver = true;
    },
    spoken: () => text,
  };
  return dialog;
}
