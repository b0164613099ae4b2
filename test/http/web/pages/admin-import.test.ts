/** Imports by administrators on a page: they send a file or name a source, read the report, and apply it. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createProject } from '../../../../src/services/projects/projects.ts'
import { administrator, type Browser, type Page } from '../../../support/browser.ts'
import { type Folder, temporaryFolder } from '../../../support/folder.ts'
import { exported } from '../../../support/project-files/files.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'
import { createKumaFile } from '../../../support/uptime-kuma.ts'

const PATH = '/admin/import'

let t: TestApp
let admin: Browser
let folder: Folder
/** File of a project that this server does not have. */
let file: string
beforeAll(async () => {
  const elsewhere = await testApp()
  const { project } = await createProject(elsewhere.app.deps, 'Moved <i>')
  file = await exported(elsewhere, project.id)
  await elsewhere.close()
})
beforeEach(async () => {
  t = await testApp()
  admin = await administrator(t)
  folder = temporaryFolder()
})
afterEach(async () => {
  await t.close()
  folder.remove()
})

function formOf(fields: Readonly<Record<string, string>>, content?: string): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries({ program: 'project', at: '', secret: '', keys: '', ...fields })) {
    form.set(name, value)
  }
  form.set('file', new File(content === undefined ? [] : [content], content === undefined ? '' : 'moved.json'))
  return form
}

/** Returns the page once no work is in progress. */
async function settled(): Promise<Page> {
  let page = await admin.get(PATH)
  while (page.headers.has('refresh')) {
    // A process of its own reads, and it has the lower priority.
    await Bun.sleep(10)
    page = await admin.get(PATH)
  }
  return page
}

/** Returns the page without the form, whose help contains paths as examples. */
const shown = (text: string) => text.replaceAll(/<form[\s\S]*?<\/form>/g, '')
const names = async () => (await t.app.deps.store.projects.list()).map(({ name }) => name).toSorted()
const uploads = () => readdirSync(tmpdir()).filter((name) => name.startsWith('overdue-upload-'))

describe('an import', () => {
  test('of a file that is sent is reported, written when that is wanted, and the file is removed', async () => {
    const before = uploads()
    expect((await admin.send(PATH, formOf({}, file))).location).toBe(PATH)
    const { text } = await settled()
    expect(text).toContain('What would happen')
    expect(text).toContain('<bdi>Moved &lt;i&gt;</bdi>')
    expect(await names()).toEqual(['Tests'])
    expect((await admin.post(`${PATH}/apply`)).location).toBe(PATH)
    expect((await settled()).text).toContain('Imported. Nothing was sent.')
    expect(await names()).toEqual(['Moved <i>', 'Tests'])
    expect(uploads()).toEqual(before)
    const [row] = (await t.app.deps.store.audit.list(20)).filter(({ after }) => after?.imported_from !== undefined)
    expect([row?.author.kind, row?.subject.name]).toEqual(['person', 'Moved <i>'])
  })

  test('of a file on the machine of the server needs its path only', async () => {
    const path = folder.file('kuma.db')
    createKumaFile(path, 2).withPush().close()
    await admin.send(PATH, formOf({ program: 'uptime-kuma', at: path }))
    expect((await settled()).text).toContain('<bdi>Uptime Kuma</bdi>')
  })

  test('that is discarded leaves nothing', async () => {
    const before = uploads()
    await admin.send(PATH, formOf({}, file))
    await settled()
    expect((await admin.post(`${PATH}/discard`)).location).toBe(PATH)
    expect((await settled()).text).not.toContain('What would happen')
    expect(uploads()).toEqual(before)
    expect(await names()).toEqual(['Tests'])
  })

  test('of a broken file says what is wrong and where, and keeps no file', async () => {
    const before = uploads()
    await admin.send(PATH, formOf({}, file.replace('"ping_log_limit": 100', '"ping_log_limit": 0')))
    const { text } = await settled()
    expect(text).toContain('/project/ping_log_limit is too small (1 to 1000)')
    expect(uploads()).toEqual(before)
  })

  test('with more fields than the form has is refused', async () => {
    const form = formOf({})
    for (let n = 0; n < 20; n++) form.append(`other-${n}`, 'x')
    const { text } = await admin.send(PATH, form)
    expect(text).toContain('too many fields, send at most 20')
  })

  test.each(['healthchecks', 'uptime-kuma', 'project'])(
    'of %s tells nothing of the folders of the server, neither of what was sent nor of what was typed',
    async (program) => {
      await admin.send(PATH, formOf({ program }, 'broken'))
      expect(shown((await settled()).text)).not.toContain(tmpdir())
      await admin.send(PATH, formOf({ program, at: 'no-such.file' }))
      const { text } = await settled()
      expect(text).toContain('no-such.file')
      expect(shown(text)).not.toContain(process.cwd())
    },
  )

  test('of another program than the form says is refused', async () => {
    writeFileSync(folder.file('x'), 'no database')
    await admin.send(PATH, formOf({ program: 'uptime-kuma', at: folder.file('x') }))
    expect((await settled()).text).toContain('role="alert"')
    expect(await names()).toEqual(['Tests'])
  })
})

describe('the form comes back', () => {
  test.each([
    [{}, 'Choose a file, or enter its path or address.'],
    [
      { program: 'healthchecks-server', at: 'https://hc.example.org' },
      'A running server needs an API key of each project.',
    ],
    [
      { program: 'healthchecks-server', at: '/etc/passwd', keys: 'x' },
      'The address of a running server begins with https:// or http://.',
    ],
  ])('with what was typed: %j', async (fields: Readonly<Record<string, string>>, words) => {
    const { status, text } = await admin.send(PATH, formOf(fields))
    expect([status, text.includes(words)]).toEqual([422, true])
    if (fields.at) expect(text).toContain(`value="${fields.at}"`)
  })

  test('without secrets and keys', async () => {
    const { text } = await admin.send(
      PATH,
      formOf({ program: 'healthchecks-server', at: 'x', keys: 'hcw_1', secret: 'geheim' }),
    )
    expect(text).not.toContain('hcw_1')
    expect(text).not.toContain('geheim')
  })
})

test('nothing is applied that was not read', async () => {
  expect((await admin.post(`${PATH}/apply`)).status).toBe(409)
})

test('while other instances run, the page names the command and takes no file', async () => {
  const load = { pingsPerSecond: null, commitMilliseconds: null, processorShare: null, memoryMegabytes: 81 }
  const [startedAt, seenAt] = [t.clock.now(), t.clock.now()]
  const other = { id: 'w', name: 'west', version: '9.9.9', startedAt, seenAt, clockAhead: 0, load }
  await t.app.deps.store.server.recordAlive(t.clock.now(), undefined, other)
  const before = uploads()
  expect((await admin.send(PATH, formOf({}, file))).location).toBe(PATH)
  const { text } = await settled()
  expect(text).toContain('overdue import healthchecks')
  expect(text).not.toContain('<form class="form"')
  expect(uploads()).toEqual(before)
  t.clock.advance({ minutes: 1 })
  expect((await admin.get(PATH)).text).toContain('Read and report')
})
