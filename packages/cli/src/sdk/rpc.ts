// `import … from "pith/rpc"`: for programs that talk to a pith in another process.
export { type ExtensionUiReply, type HostTool, RpcClient, type RpcClientOptions } from "../client/rpc-client.ts";
export { events, pieces, type WireDelta, type WireEvent, type WireMessage } from "../wire/event.ts";
export type { Dialog, Frame, Line } from "../wire/frame.ts";
export { wireVersion } from "../wire/version.ts";
