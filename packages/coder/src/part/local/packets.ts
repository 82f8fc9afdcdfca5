import { perTurn } from "@pith/agent";
import type { MakePart } from "../../hall/part.ts";
import type { PacketNeeds, PacketWriter } from "./packet-writer.ts";

/** Tells a small model after every step where it stands and what its task is. */
export const packets: MakePart<PacketNeeds> = (hall) => {
  const began = perTurn(() => hall.tree.leaf);
  let writer: PacketWriter | undefined;
  return {
    name: "packets",
    async step(turn) {
      const input = began(turn);
      const isOn = hall.settings.get("local.packets") || hall.settings.get("local.completion");
      if (turn.step === 0 || !isOn) return;
      writer ??= new (await import("./packet-writer.ts")).PacketWriter(hall, await hall.memory());
      writer.write(turn, input);
    },
  };
};
