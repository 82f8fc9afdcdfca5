class Pith < Formula
  desc "Coding agent for the terminal: fast, safe, and open to every model"
  homepage "https://github.com/pith-agent/pith"
  version "{{version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "https://github.com/pith-agent/pith/releases/download/v{{version}}/pith-darwin-arm64"
      sha256 "{{sha256 pith-darwin-arm64}}"
    end
    on_intel do
      url "https://github.com/pith-agent/pith/releases/download/v{{version}}/pith-darwin-x64"
      sha256 "{{sha256 pith-darwin-x64}}"
    end
  end
  on_linux do
    on_arm do
      url "https://github.com/pith-agent/pith/releases/download/v{{version}}/pith-linux-arm64"
      sha256 "{{sha256 pith-linux-arm64}}"
    end
    on_intel do
      url "https://github.com/pith-agent/pith/releases/download/v{{version}}/pith-linux-x64"
      sha256 "{{sha256 pith-linux-x64}}"
    end
  end

  def install
    bin.install Dir["pith-*"].first => "pith"
    generate_completions_from_executable(bin/"pith", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/pith --version")
    assert_match "read", shell_output("#{bin}/pith tool")
  end
end
