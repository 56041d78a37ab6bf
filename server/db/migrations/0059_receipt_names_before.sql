-- Nobody knows any more what the receipts of before said when they were paid: they keep what they say now.
update payment set billed_name = name, billed_email = email from app_user
where app_user.id = user_id and state = 'paid' and billed_email is null and deleted_at is null;
