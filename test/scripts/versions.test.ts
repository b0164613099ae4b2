import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { otherVersions, versionsIn } from '../../scripts/versions.ts'

const ROOT = join(import.meta.dir, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const DOCKERFILE = `LABEL org.opencontainers.image.licenses="MIT" \\
      org.opencontainers.image.version="1.2.3"
`
const CHART = 'apiVersion: v2\nversion: 1.2.3\nappVersion: "1.2.3"\n'

test('the image and the chart have the version of the package', () => {
  expect(otherVersions(version, versionsIn(read('Dockerfile'), read('deploy/helm/overdue/Chart.yaml')))).toEqual([])
})

test('a version is read from a label, and from both lines of a chart', () => {
  expect(Object.values(versionsIn(DOCKERFILE, CHART))).toEqual(['1.2.3', '1.2.3', '1.2.3'])
})

test('every place that has another version is told, and so is one that has none', () => {
  const said = otherVersions('1.3.0', versionsIn(DOCKERFILE, 'version: 1.3.0\n'))
  expect(said).toEqual([
    expect.stringMatching(/^the label .* in Dockerfile is 1\.2\.3 and package\.json has 1\.3\.0: write/),
    expect.stringMatching(/^appVersion in .*Chart\.yaml is not there and package\.json has 1\.3\.0: write/),
  ])
})

test('a file without anything in it is a place without a version', () => {
  expect(Object.values(versionsIn('', ''))).toEqual([null, null, null])
})
