/** The advice pages, which list checks whose settings do not match how their jobs run. */
import type { Page } from '../../page.ts'
import advice from './advice.css' with { type: 'text' }
import { adviceView, allAdviceView } from './live.ts'
import { adviceMenu } from './menu.ts'
import { adviceRoutes } from './routes.ts'

export const page = {
  routes: adviceRoutes,
  menu: adviceMenu,
  help: 'pages#advice',
  styles: [advice],
  live: { advice: adviceView },
  liveOfAll: {
    advice: (deps, visit) => ({ view: allAdviceView(deps, visit), projectIds: null }),
  },
  fixtures: {
    'GET /p/:project/advice': { for: 'read' },
    'GET /advice': { for: 'people' },
    'POST /p/:project/advice': { for: 'write', form: { action: 'later', kind: 'zone' } },
  },
} satisfies Page
