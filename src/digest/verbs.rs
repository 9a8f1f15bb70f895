//! The verbs that names of tools are made of, as data, words apart by blanks: which of them only look something up and which change something.
//! A small table of what developers write; what it does not know stays unknown. How a name is split and read is in `effect`.

/// First or last words of a name that say that it only looks something up.
pub const READS: &str = "get search find lookup look fetch read query show view describe retrieve browse inspect count preview explain \
    compare calculate compute estimate translate summarize analyze analyse extract parse screenshot scroll hover navigate visit goto \
    peek grep glob download suggest recommend detect classify measure trace diff think tail crawl scrape forecast predict discover \
    exists is has can whoami geocode wait suchen suche finden lesen holen hole zeigen zeige anzeigen abrufen pruefen prüfen auflisten \
    abfragen berechnen buscar obtener listar consultar leer ver mostrar calcular comprobar verificar encontrar chercher rechercher \
    obtenir lister lire afficher trouver recuperer récupérer verifier vérifier calculer voir consulter obter procurar pesquisar ler \
    exibir cerca cercare trova trovare leggi leggere ottieni ottenere elenca mostra mostrare verifica calcola zoeken zoek ophalen haal \
    lezen lees toon bekijk controleer szukaj wyszukaj znajdz znajdź pobierz pokaz pokaż odczytaj sprawdz sprawdź lista ara bul getir \
    listele oku goster göster sorgula kontrol kensaku shutoku kakunin ichiran chaxun sousuo huoqu johoe найти получить показать искать \
    поиск прочитать проверить список узнать";

/// Verbs that look something up as often as they change something: a list is shown, or an article listed for sale; a page is loaded, or a
/// card. Alone they say neither.
pub const READS_OR_ACTS: &str =
    "load resolve check match export poll ping list recall verify validate scan snapshot watch monitor track laden";

/// The same of what changes something outside of the conversation. These are verbs and hardly anything else.
pub const ACTS: &str = "create update delete remove send set add cancel insert write edit modify change apply submit approve reject deny accept \
    decline confirm assign unassign close reopen merge publish unpublish deploy rollback restart stop start kill terminate launch \
    trigger enable disable activate deactivate suspend resume pause grant revoke move rename copy upload import install uninstall \
    purchase buy sell pay withdraw deposit capture void issue redeem reserve rebook reschedule register unregister enroll \
    subscribe unsubscribe invite kick ban mute block unblock archive unarchive restore clear reset purge drop truncate migrate \
    save store put patch append replace fill type click tap press drag swipe upsert sync push commit fork escalate notify alert \
    broadcast forward reply respond dial hangup lock unlock turn toggle scale provision remember \
    memorize forget mark unmark pin unpin star follow unfollow like react dispatch complete finish finalize settle adjust \
    increase decrease extend renew upgrade downgrade transferir log record attach detach link unlink join leave connect \
    disconnect sign ship return schedule enqueue requeue rerun retry refund charge transfer invalidate drain cordon \
    initiate authorize authorise freeze unfreeze allocate waive raise silence acknowledge ack snooze announce tweet label tag untag rotate book checkout post delegate play print configure \
    manage erstellen erstelle anlegen loeschen löschen loesche lösche senden sende versenden aendern ändern stornieren storniere \
    buchen buche bestellen bezahlen ueberweisen überweisen aktualisieren hinzufuegen hinzufügen speichern setzen setze erstatten \
    kuendigen kündigen freigeben verschieben zuweisen schliessen schließen absagen crear crea eliminar borrar enviar actualizar \
    modificar cancelar reservar pagar reembolsar agregar anadir añadir guardar comprar asignar cerrar aprobar programar creer \
    créer supprimer envoyer modifier annuler reserver réserver payer rembourser ajouter enregistrer acheter mettre valider fermer \
    commander criar excluir apagar atualizar adicionar salvar agendar reembolso aprovar creare elimina eliminare invia inviare \
    aggiorna aggiornare annulla annullare prenota prenotare paga pagare aggiungi salva rimborsa modifica maak maken aanmaken \
    verwijder verwijderen verstuur versturen wijzig wijzigen annuleer annuleren boek boeken betaal toevoegen opslaan utworz \
    utwórz stworz stwórz usun usuń wyslij wyślij zmien zmień anuluj zarezerwuj zaplac zapłać dodaj zapisz zaktualizuj zwroc zwróć \
    olustur oluştur sil gonder gönder guncelle güncelle iptal ode öde ekle kaydet iade sakusei sakujo koushin kōshin soushin \
    touroku henkou chuumon chuangjian shanchu fasong gengxin quxiao создать удалить отправить изменить обновить отменить \
    забронировать оплатить вернуть добавить сохранить перевести закрыть назначить заказать \
    lodge escalar starten eroeffnen eröffnen einreichen beantragen anfordern iniciar solicitar presentar demarrer démarrer \
    lancer demander deposer déposer poser avvia avviare inizia richiedi richiedere inoltra liquida aanvragen indienen uruchom \
    zloz złóż baslat başlat talep начать запросить подать";

/// Words that are a thing as often as a deed: beside a word that looks something up they are the thing (`order_search`, `refund_status`).
pub const DEEDS_OR_THINGS: &str = "order book booking post mail email message sms call ticket comment share vote rate review request report transaction invoice \
    bill quote checkin checkout signup login logout refund charge transfer log record schedule label tag issue return \
    ship link store play print import release split hold process place make";

/// Of these the ones that are the deed where a name goes on behind them: `travel_book_hotel`, `stripe_refund_payment`.
pub const DEEDS_BEFORE_THINGS: &str = "book refund post transfer schedule charge ship return";

/// Nouns for information about a thing: a name that ends with one reads.
pub const INFORMATION_NOUNS: &str = "status history details detail info information summary statistics stats results result availability price prices balance logs \
    metrics report overview schema catalog weather data docs documentation options rates";

/// What names in scripts without spaces hold when they only look something up.
pub const READS_UNSPACED: &str = "查询 查詢 查看 查找 搜索 搜尋 获取 獲取 读取 讀取 列出 检查 检索 统计 计算 検索 取得 確認 一覧 照会 参照 表示 閲覧 読み取り 計算 チェック 조회 검색 확인 목록 가져오기 보기 읽기 계산";

/// The same of what changes something.
pub const ACTS_UNSPACED: &str = "创建 創建 新建 删除 刪除 更新 修改 发送 發送 取消 预订 預訂 预约 退款 支付 付款 提交 添加 保存 审批 转账 下单 安排 关闭 分配 派单 调度 作成 削除 変更 送信 予約 返金 キャンセル 登録 追加 支払 注文 発送 発行 手配 \
    承認 投稿 編集 設定 생성 삭제 수정 변경 전송 보내기 예약 취소 결제 환불 등록 추가 저장 발송 주문하기 승인";

/// What is done to a page: it shows something else then, and little else has changed.
pub const GESTURES: &str = "click tap type fill press scroll hover drag swipe select";
