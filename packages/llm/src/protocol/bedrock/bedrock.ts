import type { Compat } from "../../model/compat.ts";
import { awsEventStream } from "../../route/framing/event-stream.ts";
import type { Protocol } from "../protocol.ts";
import { BedrockDecoder } from "./decode.ts";
import { bedrockEncoder } from "./encode.ts";

/** Amazon Bedrock Converse, streamed. */
export const bedrockConverse = (compat: Compat): Protocol => ({
  api: "bedrock-converse-stream",
  framing: awsEventStream,
  path: ({ id }) => `/model/${encodeURIComponent(id)}/converse-stream`,
  headers: () => ({ accept: "application/vnd.amazon.eventstream" }),
  encode: bedrockEncoder(compat),
  decoder: () => new BedrockDecoder(),
});
