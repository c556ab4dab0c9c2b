/** Whether there is anything in the text that Liquid would write. */
export const isLiquid = (text: string): boolean => text.includes('{{') || text.includes('{%');
