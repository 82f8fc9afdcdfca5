import type { Behaviour } from "@pith/agent";

/** Names the session in every request, so that vendors who ask for it find what they have cached of it. */
export const affinity = (session: string): Behaviour => ({
  name: "affinity",
  context: (request) => ({ ...request, session }),
});
