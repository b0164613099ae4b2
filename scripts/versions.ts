/** Where else than in `package.json` the version stands. Pure. */

/** @returns by place, in words, the version that stands there; null where there is none */
export function versionsIn(dockerfile: string, chart: string): Readonly<Record<string, string | null>> {
  const { version, appVersion } = Object(Bun.YAML.parse(chart)) as Readonly<Record<string, unknown>>
  return {
    'the label org.opencontainers.image.version in Dockerfile':
      /org\.opencontainers\.image\.version="([^"]*)"/.exec(dockerfile)?.[1] ?? null,
    'version in deploy/helm/overdue/Chart.yaml': textOrNull(version),
    'appVersion in deploy/helm/overdue/Chart.yaml': textOrNull(appVersion),
  }
}

/** YAML reads `1.2` as a number. */
function textOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value)
}

/** Sentences for whoever makes a release; none where every place has the version. */
export function otherVersions(version: string, places: ReturnType<typeof versionsIn>): string[] {
  return Object.entries(places)
    .filter(([, there]) => there !== version)
    .map(
      ([place, there]) => `${place} is ${there ?? 'not there'} and package.json has ${version}: write that there too`,
    )
}
