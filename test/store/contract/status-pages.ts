/** Status pages: public parts, and their address. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import type { Project } from '../../../src/domain/project.ts'
import { newStatusPage, type StatusPage } from '../../../src/domain/status-page/status-page.ts'
import {
  after,
  anAuthor,
  aProject,
  type OpenStore,
  refusalOf,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function statusPagesContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const save = (over: Partial<StatusPage> = {}, project: Project = g.project) =>
    g.store.by(anAuthor()).statusPages.change(project.id, (page) => ({
      ...(page ?? newStatusPage({ projectId: project.id, slug: project.slug, tz: 'UTC', updatedAt: after(0) })),
      ...over,
    }))

  test('a project has none until somebody saves one, and it comes back as it was given', async () => {
    expect(await g.store.statusPages.find(g.project.id)).toBeNull()
    const service = { checkId: crypto.randomUUID(), name: 'Stock "levels"', text: 'An hour old\nat most' }
    const given = {
      slug: 'harbour',
      isPublic: true,
      isIndexed: true,
      title: 'Harbour Books ⚓',
      text: 'Are our jobs running?',
      tz: 'Europe/Riga',
      sections: [{ id: 'a1', name: 'Shop', tag: 'shop', services: [service] }],
      updatedAt: after(1.000001),
    }
    const saved = await save(given)
    expect(saved).toEqual({ ...given, projectId: g.project.id })
    expect(await g.store.statusPages.find(g.project.id)).toEqual(saved)
    expect(await g.store.statusPages.findPublic('harbour')).toEqual(saved)
  })

  test('only a page that is public is found by its slug', async () => {
    await save({ slug: 'harbour' })
    expect(await g.store.statusPages.findPublic('harbour')).toBeNull()
    await save({ isPublic: true })
    expect(await g.store.statusPages.findPublic('harbour')).toMatchObject({ projectId: g.project.id })
    expect(await g.store.statusPages.findPublic('Harbour')).toBeNull()
    await save({ slug: 'books' })
    expect(await g.store.statusPages.findPublic('harbour')).toBeNull()
  })

  test('a slug belongs to one page, also while that is not public', async () => {
    await save({ slug: 'harbour' })
    const other = aProject()
    await g.store.by(anAuthor()).projects.create(other, [])
    expect(await refusalOf(save({ slug: 'harbour' }, other))).toMatchObject({ code: 'status-slug-taken' })
    expect(await g.store.statusPages.find(other.id)).toBeNull()
    await save({ slug: 'books' })
    expect(await save({ slug: 'harbour' }, other)).toMatchObject({ slug: 'harbour' })
  })

  test('the audit log has what is public of a check, and its unique key in place of its UUID', async () => {
    const check = await g.check({ name: 'stock-etl' })
    await save()
    const services = [{ checkId: check.id, name: 'Stock levels', text: '' }]
    await save({ isPublic: true, sections: [{ id: 'a1', name: 'Shop', tag: null, services }] })
    const log = await g.store.audit.list(10)
    expect(log.find(({ action, subject }) => action === 'edit' && subject.kind === 'status-page')).toMatchObject({
      projectId: g.project.id,
      before: { public: false, sections: [], services: [] },
      after: { public: true, sections: ['Shop'], services: [`Shop: Stock levels, check ${uniqueKey(check.id)}`] },
    })
    expect(JSON.stringify(log)).not.toContain(check.id)
  })

  test('nothing is written for a project that is gone, nor when the decision fails', async () => {
    expect(await refusalOf(save({}, aProject()))).toMatchObject({ code: 'not-found' })
    const failed = g.store.by(anAuthor()).statusPages.change(g.project.id, () => {
      throw new Error('no')
    })
    expect(await failed.catch((error) => error)).toMatchObject({ message: 'no' })
    expect(await g.store.statusPages.find(g.project.id)).toBeNull()
  })
}
