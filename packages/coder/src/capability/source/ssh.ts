import { each } from "../config-files.ts";
import { sshConfig, sshHosts } from "../read/things.ts";
import type { ConfigSource } from "../registry.ts";

export const ssh: ConfigSource = {
  name: "ssh",
  title: "ssh",
  priority: 5,
  finds: {
    ssh: (files) => [
      ...each(
        [
          ...files.nearest(".pith", "ssh.json"),
          ...files.nearest(".omp", "ssh.json"),
          ...files.nearest("ssh.json"),
          ...files.nearest(".ssh.json"),
          ...files.user(files.place.home, "ssh.json"),
          ...files.inHome(".omp", "agent", "ssh.json"),
        ],
        sshHosts,
      ),
      ...each(files.inHome(".ssh", "config"), sshConfig),
    ],
  },
};
