export function contractArtifacts(): Promise<Record<string, string>>;
