import { messageOf } from "@pith/kit";

/** Whoever fails at what it hears costs itself: the conversation and the others go on. Each failure is said once. */
export function steadily(say: (text: string) => void): (hear: () => void) => void {
  const said = new Set<string>();
  return (hear) => {
    try {
      hear();
    } catch (thrown) {
      const why = messageOf(thrown);
      if (!said.has(why)) say(`Something cannot be shown: ${why}`);
      said.add(why);
    }
  };
}
