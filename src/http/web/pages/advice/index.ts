/** Advice: settings that do not fit the jobs they watch. */
import type { Page } from '../../page.ts'
import advice from './advice.css' with { type: 'text' }
import { adviceView } from './live.ts'
import { adviceMenu } from './menu.ts'
import { adviceRoutes } from './routes.ts'

export const page = {
  routes: adviceRoutes,
  menu: adviceMenu,
  help: 'pages#advice',
  styles: [advice],
  live: { advice: adviceView },
  fixtures: {
    'GET /p/:project/advice': { for: 'read' },
    'POST /p/:project/advice': { for: 'write', form: { action: 'later', kind: 'zone' } },
  },
} satisfies Page
