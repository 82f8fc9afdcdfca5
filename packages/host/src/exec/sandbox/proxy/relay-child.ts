// Runs in the network of a session, as a program of its own: it imports nothing of ours. It takes connections there and
// hands them to a socket outside that commands cannot see; it understands nothing of what it carries. It says its port,
// and ends with its input.
import { createReadStream, writeSync } from "node:fs";
import { connect, createServer } from "node:net";

/** As a module of ours it is only its text. */
export default "";

const [wanted = "0", path = ""] = process.argv.slice(-2);
const open = () =>
  createServer({ allowHalfOpen: true }, (client) => {
    const far = connect({ path, allowHalfOpen: true });
    client.pipe(far);
    far.pipe(client);
    for (const [one, other] of [
      [client, far],
      [far, client],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
const server = open();
server.on("error", () => process.exit(1));
server.listen(Number(wanted), "127.0.0.1", () => {
  const at = server.address();
  const port = typeof at === "object" && at ? at.port : 0;
  // A port of this machine is looked for at either address.
  if (wanted !== "0")
    open()
      .on("error", () => {})
      .listen(port, "::1");
  writeSync(1, `${port}\n`);
});
// Nobody says anything; it is the end that counts.
createReadStream("", { fd: 0 })
  .resume()
  .on("close", () => process.exit(0));
