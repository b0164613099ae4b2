/** Finds the version in files other than `package.json`. Pure. */

/** @returns the version in each place, by a description of the place; null where it has none */
export function versionsIn(dockerfile: string, chart: string): Readonly<Record<string, string | null>> {
  const { version, appVersion } = Object(Bun.YAML.parse(chart)) as Readonly<Record<string, unknown>>
  return {
    'the label org.opencontainers.image.version in Dockerfile':
      /org\.opencontainers\.image\.version="([^"]*)"/.exec(dockerfile)?.[1] ?? null,
    'version in deploy/kubernetes/Chart.yaml': textOrNull(version),
    'appVersion in deploy/kubernetes/Chart.yaml': textOrNull(appVersion),
  }
}

/** Converts a value to text, because YAML reads `1.2` as a number. */
function textOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value)
}

/** @returns a sentence for each place that has another version */
export function otherVersions(version: string, places: ReturnType<typeof versionsIn>): string[] {
  return Object.entries(places)
    .filter(([, found]) => found !== version)
    .map(([place, found]) => `${place} is ${found ?? 'missing'}, but package.json has ${version}: set it to that`)
}
