export { escapeHtml } from '@roster/runtime';
