import { messageOf } from "@pith/kit";
import { type Assembly, assemble } from "./assembly.ts";
import type { Hall, House, Opening } from "./hall.ts";
import type { HouseOptions } from "./house.ts";
import type { PartRow } from "./list.ts";
import type { Part } from "./part.ts";

declare module "./hall.ts" {
  interface Hall {
    /** Opens another conversation of the same process, by the same list of parts. */
    open(opening: Opening): OpenHall;
  }
}

export interface OpenHouse extends AsyncDisposable {
  house: House;
}

export interface OpenHall extends AsyncDisposable {
  hall: Hall;
  assembly: Assembly;
}

/** Makes the parts that all conversations of a process share. */
export function openHouse(rows: readonly PartRow[], options: HouseOptions): OpenHouse {
  const { cwd, home, userHome, env, clock, settings } = options;
  const house = { cwd, home, userHome, env, clock, store: settings, launch: options } as House;
  const parts: Part[] = [];
  for (const { reach, make } of rows) if (reach === "process") addOwners(house, take(parts, make(house as Hall)));
  return {
    house,
    async [Symbol.asyncDispose]() {
      for (const part of parts.toReversed()) await part[Symbol.asyncDispose]?.();
      options.own?.[Symbol.dispose]();
    },
  };
}

/** Opens a conversation: makes its parts in the order of the list, and hands each the owners of those before it. */
export function openHall(house: House, rows: readonly PartRow[], opening: Opening): OpenHall {
  const hall = { ...opening, open: (other) => openHall(house, rows, other) } as Hall;
  addOwners(hall, { owns: house });
  const parts: Part[] = [];
  const assembly = assemble(hall);
  const dispose = async () => {
    await hall.conversation?.interrupt("closed");
    await assembly[Symbol.asyncDispose]();
    for (const part of parts.toReversed()) await leave(part, hall);
  };
  try {
    for (const { reach, make } of rows) {
      if (reach !== "every" && (reach !== "main" || opening.scope !== "main")) continue;
      const part = take(parts, make(hall));
      addOwners(hall, part);
      if (part) assembly.add(part);
    }
  } catch (thrown) {
    void dispose();
    throw thrown;
  }
  return { hall, assembly, [Symbol.asyncDispose]: dispose };
}

function take(parts: Part[], part: Part | undefined): Part | undefined {
  if (part) parts.push(part);
  return part;
}

/** Copies owners as descriptors, so that those which are getters stay live. */
function addOwners(hall: House, part: { owns?: object } | undefined): void {
  if (part?.owns) Object.defineProperties(hall, Object.getOwnPropertyDescriptors(part.owns));
}

/** Ends one part; a part that fails at its end keeps neither the others nor the record from theirs. */
async function leave(part: Part, hall: Hall): Promise<void> {
  try {
    await part[Symbol.asyncDispose]?.();
  } catch (error) {
    hall.opened.channel.notify({ level: "warn", text: `${part.name} failed at its end: ${messageOf(error)}` });
  }
}
