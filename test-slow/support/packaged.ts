/**
 * Tests for a packaged program, which is an executable or the files of an image: it answers every recorded case, and it
 * contains the modules that are loaded on demand.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readCases } from '../../test/conformance/case.ts'
import { conformanceSuite } from '../../test/conformance/suite.ts'
import { type Folder, folderOnDisk } from '../../test/support/folder.ts'
import { freePort } from '../../test/support/free-port.ts'
import { otlpReceiver } from '../../test/support/otlp-receiver.ts'
import { type Program, runProgram, type Served, serve } from '../../test/support/served.ts'
import { eventually } from './eventually.ts'

/** Limit for a backup. The loop runs once a minute. */
const BACKED_UP_WITHIN_MS = 90_000
const CASES = join(import.meta.dir, '../../test/conformance/cases')

/** @param program returns the packaged program; called when the suite begins */
export function packagedSuite(title: string, program: () => Program): void {
  const cases = readCases(CASES).filter((item) => item.slow !== true)
  conformanceSuite(`${title}: conformance`, cases, 30_000, program)

  describe(`${title}: a server with mail, traces and backups`, () => {
    let receiver: ReturnType<typeof otlpReceiver>
    let folder: Folder
    let backups: string
    let served: Served
    let mailPort: number
    let url: string

    beforeAll(async () => {
      receiver = otlpReceiver()
      folder = folderOnDisk()
      backups = folder.file('backups')
      mkdirSync(backups)
      const { owner } = program()
      if (owner !== undefined) for (const path of [folder.path, backups]) chownSync(path, owner, owner)
      mailPort = freePort()
      const settings = {
        BACKUP_DIRECTORY: backups,
        SMTPD_PORT: String(mailPort),
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_BSP_SCHEDULE_DELAY: '200',
      }
      served = await serve(settings, program())
      const { ping_key } = await served.overdue<{ ping_key: string }>('project', 'create', 'Packaged')
      url = `${served.baseUrl}/ping/${ping_key}/job`
      expect((await fetch(`${url}?create=1`)).status).toBe(201)
    }, 60_000)

    afterAll(async () => {
      await served.stop()
      await receiver.stop()
      folder.remove()
    })

    test('receives a ping by email that it has sent itself', async () => {
      const project = await served.overdue<{ api_key: string }>('project', 'create', 'Mailed')
      const headers = { 'X-Api-Key': project.api_key }
      const made = await fetch(`${served.baseUrl}/api/v3/checks/`, {
        method: 'POST',
        headers,
        body: '{"name": "Mailed"}',
      })
      const { uuid } = (await made.json()) as { uuid: string }
      const out = { EMAIL_HOST: '127.0.0.1', EMAIL_PORT: String(mailPort), EMAIL_USE_TLS: 'False' }
      expect(await runProgram(program(), ['mail', 'test', `${uuid}@localhost`], out)).toMatchObject({ code: 0 })
      const log = await fetch(`${served.baseUrl}/api/v3/checks/${uuid}/pings/`, { headers })
      expect(await log.json()).toMatchObject({ pings: [{ n: 1, scheme: 'email', type: 'success' }] })
    })

    test('exports spans of its pings', async () => {
      expect(await (await fetch(url)).text()).toBe('OK')
      const names = () => receiver.spans.map(({ name }) => name)
      await eventually('the ping has a span', () => names().includes('GET /ping/*'))
      expect(names()).toContain('commit pings')
    })

    test('takes backups, for which it starts its own program', async () => {
      const kept = () => readdirSync(backups).filter((file) => file.endsWith('.db'))
      await eventually('a backup is there', () => kept().length > 0, BACKED_UP_WITHIN_MS)
      const [first = 'none'] = kept()
      using copy = new Database(join(backups, first), { readonly: true })
      expect(copy.query('PRAGMA integrity_check').values()).toEqual([['ok']])
      const own = join(backups, 'own.db')
      await served.overdue('backup', own)
      expect(statSync(own).size).toBeGreaterThan(0)
    }, 120_000)

    test('serves the API reference', async () => {
      const page = await fetch(`${served.baseUrl}/docs/api`)
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('/api/v3/checks/')
    })

    test('serves the files of its pages, the script among them', async () => {
      const page = await (await fetch(`${served.baseUrl}/`)).text()
      const files = Array.from(page.matchAll(/"(\/(?:assets\/|favicon)[^"]+)"/g), ([, file]) => file)
      expect(files).toHaveLength(3)
      for (const file of files) {
        const answer = await fetch(served.baseUrl + file)
        expect([file, answer.status]).toEqual([file, 200])
        expect((await answer.text()).length).toBeGreaterThan(100)
      }
    })

    test('is healthy according to its own health command, and a port without a server is not', async () => {
      const { port } = new URL(served.baseUrl)
      const health = (PORT: string) => runProgram(program(), ['health'], { PORT })
      expect(await health(port)).toMatchObject({ code: 0, out: expect.stringContaining('200') })
      expect(await health(String(freePort()))).toMatchObject({
        code: 1,
        err: expect.stringContaining('does not answer'),
      })
    })
  })
}
