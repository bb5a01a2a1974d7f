# Homebrew formula. The release fills in VERSION and SHA256 (.github/workflows/release.yml).
class Spanflame < Formula
  desc "Shows where one slow request spent its time, from JVM and other profiles"
  homepage "https://github.com/spanflame/spanflame"
  url "https://github.com/spanflame/spanflame/releases/download/vVERSION/spanflame-VERSION.tgz"
  sha256 "SHA256"
  license "Apache-2.0"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink Dir["#{libexec}/bin/*"]
  end

  test do
    assert_match "VERSION", shell_output("#{bin}/spanflame --version")
    assert_match "guide", shell_output("#{bin}/spanflame help")
  end
end
