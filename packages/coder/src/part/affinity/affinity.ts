import type { MakePart } from "../../hall/part.ts";

/** Names the session in every request, so that vendors who ask for it find what they have cached of it. */
export const affinity: MakePart<"header"> = ({ header }) => ({
  name: "affinity",
  context: (request) => ({ ...request, session: header.id }),
});
