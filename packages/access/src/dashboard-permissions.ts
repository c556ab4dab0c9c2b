/** The permissions of dashboard users. */
export const companyPermissions = ['admin', 'manage_company_settings', 'add_remove_app_groups'] as const;

export const teamPermissions = [
  'admin',
  'basic_access',
  'approve_deny_campaigns',
  'send_campaigns_canvases',
  'publish_cards',
  'edit_segments',
  'export_user_data',
  'view_user_profile',
  'manage_dashboard_users',
  'manage_media_library',
] as const;

export const appPermissions = [
  ...teamPermissions,
  'view_pii',
  'view_usage_data',
  'import_update_user_data',
  'view_billing_details',
  'dev_console',
  'launch_content_blocks',
  'manage_external_integrations',
  'manage_apps',
  'manage_teams',
  'manage_events_attributes_purchases',
  'manage_tags',
  'manage_email_settings',
  'manage_subscription_groups',
  'manage_approval_settings',
  'manage_catalogs_dashboard_permission',
] as const;

export const departments = ['agency', 'bi', 'c_suite', 'engineering', 'finance', 'marketing', 'pm'] as const;

const isIn = (list: readonly string[]) => {
  const known = new Set(list);
  return (text: string): boolean => known.has(text);
};

export const isCompanyPermission = isIn(companyPermissions);
export const isTeamPermission = isIn(teamPermissions);
export const isAppPermission = isIn(appPermissions);
export const isDepartment = isIn(departments);
