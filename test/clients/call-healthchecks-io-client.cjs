// Makes every call of healthchecks-io-client in all three versions of the API, and prints a line of JSON for each version.
const { HealthChecksApiClient, HealthChecksPingClient } = require('healthchecks-io-client')

const { BASE: base, API_KEY: apiKey } = process.env

async function run(apiVersion) {
  const api = new HealthChecksApiClient({ apiKey, baseUrl: base, apiVersion })
  const check = await api.createCheck({ name: `node-${apiVersion}`, tags: 'node', timeout: 3600, grace: 60 })
  const uuid = check.ping_url.split('/').pop()
  const ping = new HealthChecksPingClient({ uuid, baseUrl: `${base}/ping`, returnResponse: true })
  const answers = [await ping.start(), await ping.success(), await ping.fail()]
  const { checks } = await api.getChecks(['node'])
  const { pings } = await api.listPings(uuid)
  const flips = await api.listFlips(uuid, { seconds: 3600 })
  const { channels } = await api.getIntegrations()
  const paused = await api.pauseCheck(uuid)
  const deleted = await api.deleteCheck(uuid)
  return {
    answers,
    found: checks.map(({ name }) => name),
    pings: pings.map(({ type }) => type),
    flips: (flips.flips ?? flips).map(({ up }) => up),
    channels: channels.length,
    paused: paused.status,
    deleted: deleted.name,
  }
}

;(async () => {
  for (const version of [1, 2, 3]) process.stdout.write(`${JSON.stringify(await run(version))}\n`)
})()
